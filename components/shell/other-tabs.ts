const CHANNEL = 'session';

// A channel does not hear itself: what a page tells through its own one reaches other tabs alone.
let own: BroadcastChannel | null = null;

/** Says to every other tab of this browser, which share the session, that it changed. */
export function tellOtherTabs(): void {
  const channel = own ?? new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only and takes no target
  channel.postMessage(null);
  if (channel !== own) channel.close();
}

/** Calls when another tab changed the session; the returned function ends that. */
export function hearOtherTabs(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  own = channel;
  channel.addEventListener('message', onChange);
  return () => {
    channel.close();
    if (own === channel) own = null;
  };
}
