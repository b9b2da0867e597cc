const channelName = 'session';

// A channel does not receive its own messages, so those sent through it reach only other tabs.
let pageChannel: BroadcastChannel | null = null;

/** Notifies the other tabs of this browser that the session has changed. */
export function announceSessionChange(): void {
  const channel = pageChannel ?? new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only and takes no target
  channel.postMessage(null);
  if (channel !== pageChannel) channel.close();
}

/** Calls `onChange` when another tab changed the session. Returns the function to unsubscribe. */
export function subscribeToSessionChanges(onChange: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  pageChannel = channel;
  channel.addEventListener('message', onChange);
  return () => {
    channel.close();
    if (pageChannel === channel) pageChannel = null;
  };
}
