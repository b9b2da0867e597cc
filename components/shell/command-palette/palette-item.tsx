'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import {
  ArrowLeftRight,
  Copy,
  File,
  KeyRound,
  Plus,
  RotateCw,
  Search,
  Send,
  UserPlus,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';

import { Status } from '#components/ui/data-display/status.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';

import type { Command } from './command.ts';

/** A command in the list of a palette. */
export function PaletteItem({ command, onChoose }: { command: Command; onChoose: () => void }) {
  return (
    <Autocomplete.Item
      value={command}
      onClick={onChoose}
      className="group/item flex min-h-9 cursor-default items-center gap-2.5 rounded-3 px-2.5 text-ink outline-none select-none data-highlighted:bg-fill-active max-sm:min-h-11 pointer-coarse:min-h-11"
    >
      <span aria-hidden className="text-ink-3 group-data-highlighted/item:text-accent">
        {icons[command.kind]}
      </span>
      {/* On a phone, the code is below the label, which needs the line for itself. */}
      <span className="flex min-w-0 flex-col items-start py-1.5 sm:contents">
        <CommandText command={command} />
        {command.code !== undefined && (
          <span
            translate="no"
            className="code max-w-1/2 shrink-0 truncate text-ink-3 group-data-highlighted/item:text-ink-2 max-sm:max-w-full max-sm:text-micro"
          >
            {command.code}
          </span>
        )}
      </span>
      {command.state && (
        <Status mark={command.state.mark} className="ml-auto shrink-0">
          {command.state.label}
        </Status>
      )}
      {command.detail !== undefined && (
        <span className="ml-auto shrink-0 text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
          {command.detail}
        </span>
      )}
    </Autocomplete.Item>
  );
}

function CommandText({ command: { label, second } }: { command: Command }) {
  if (second === undefined) return <span className="truncate max-sm:max-w-full">{label}</span>;
  return (
    <span className="min-w-0 py-1.5 max-sm:py-0">
      <span className="block truncate max-sm:wrap-anywhere max-sm:whitespace-normal">{label}</span>
      <span className="block truncate text-micro text-ink-3 group-data-highlighted/item:text-ink-2">
        <ExactTime value={second.at} /> · {second.text}
      </span>
    </span>
  );
}

const icons: Record<Command['kind'], ReactNode> = {
  key: <KeyRound />,
  webhook: <Webhook />,
  delivery: <Send />,
  retry: <RotateCw />,
  copy: <Copy />,
  page: <File />,
  create: <Plus />,
  invite: <UserPlus />,
  account: <ArrowLeftRight />,
  search: <Search />,
};
