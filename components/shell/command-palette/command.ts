import type { deliveryState } from '../states/delivery-state.ts';

/** A page or action that a palette lists. */
export type Command = {
  /** Of the command, unlike all others in the list. */
  id: string;
  kind:
    | 'key'
    | 'webhook'
    | 'delivery'
    | 'retry'
    | 'copy'
    | 'page'
    | 'create'
    | 'invite'
    | 'account'
    | 'search';
  /** The id of its target: for a page its path in the account, for a search its text. */
  of: string;
  label: string;
  /** In monospace next to the label. */
  code?: string;
  /** At the end of the line. */
  detail?: string;
  /** In place of `detail`: the state, as the target's page shows it. */
  state?: ReturnType<typeof deliveryState>;
  /** The second line. */
  second?: { at: string; text: string };
  /** The full path of the target. It names the account, except at the support desk. */
  path: string;
};

export type CommandGroup = { label: string; items: Command[] };
