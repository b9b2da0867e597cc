const CHANNEL = 'session';

// A channel does not hear itself: what a page tells through its own one reaches other tabs alone.
let pageChannel: BroadcastChannel | null = null;

/** Says to every other tab of this browser, which share the session, that it changed. */
export function announceSessionChange(): void {
  const channel = pageChannel ?? new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only and takes no target
  channel.postMessage(null);
  if (channel !== pageChannel) channel.close();
}

/** Calls when another tab changed the session; the returned function ends that. */
export function subscribeToSessionChanges(onChange: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  pageChannel = channel;
  channel.addEventListener('message', onChange);
  return () => {
    channel.close();
    if (pageChannel === channel) pageChannel = null;
  };
}
