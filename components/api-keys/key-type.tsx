import { Bot, KeyRound, SlidersHorizontal, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';

export const keyTypeTable: Record<
  KeyType,
  { label: string; description: string; icon: ReactNode }
> = {
  full: {
    label: 'Full',
    description: 'For your own servers. Every scope, including future ones.',
    icon: <KeyRound />,
  },
  limited: {
    label: 'Limited',
    description: 'Only selected scopes. The safe choice for apps and partners.',
    icon: <SlidersHorizontal />,
  },
  webhook: {
    label: 'Webhook',
    description: 'For integrations that manage webhooks and read events.',
    icon: <Webhook />,
  },
  bot: {
    label: 'Bot',
    description: 'For bot flows that read conversations and write messages.',
    icon: <Bot />,
  },
};

export function KeyTypeLabel({ type }: { type: KeyType }) {
  const { label, icon } = keyTypeTable[type];
  return (
    <span className="inline-flex items-center gap-[7px] text-ink-2 [&>svg]:icon-14 [&>svg]:text-ink-3">
      {icon}
      {label}
    </span>
  );
}
