import { Ellipsis } from 'lucide-react';
import type { ReactElement } from 'react';

import { Avatar } from './avatar.tsx';

/** Opens a person's menu in a sidebar. @param role what stands below the name */
export function nameTrigger(name: string, role: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      className="mt-2 flex w-full cursor-default items-center gap-2.5 rounded-3 px-2 py-1.5 text-left hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={name} isRound />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small leading-4.5 font-medium">{name}</span>
        <span className="block truncate text-micro text-ink-3">{role}</span>
        <span className="sr-only">Your menu</span>
      </span>
      <Ellipsis aria-hidden className="text-ink-3" />
    </button>
  );
}

/** Opens a person's menu in the bar on narrow screens. */
export function avatarTrigger(name: string, label: string): ReactElement<Record<string, unknown>> {
  return (
    <button
      type="button"
      aria-label={label}
      className="grid size-11 shrink-0 cursor-default place-items-center rounded-3 hover:bg-fill-hover aria-expanded:bg-fill-active"
    >
      <Avatar name={name} isRound />
    </button>
  );
}
