import type { Webhook } from '#lib/contract/webhooks.ts';

type Identified = Pick<Webhook, 'id'>;

/** The cell with a row's menu, where the focus returns after an act upon the row. */
export function menuCellId({ id }: Identified): string {
  return `webhook-${id}-actions`;
}

/** A row's menu button, if the row is still there. */
export function findMenuButton(webhook: Identified): HTMLElement | null {
  return document.getElementById(menuCellId(webhook))?.querySelector('button') ?? null;
}

/**
 * Where the focus goes once this row has left: the next row's menu, at the end the one before, and
 * with no row left the page's first control. To be asked before the row leaves, and called after.
 */
export function findNeighbour(webhook: Identified): () => HTMLElement | null {
  const row = document.getElementById(menuCellId(webhook))?.closest('tr');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const button = neighbour?.querySelector<HTMLElement>('button[aria-haspopup="menu"]');
  return () =>
    button?.isConnected ? button : document.querySelector<HTMLElement>('#main :is(a, button)');
}
