const isRoot = process.getuid?.() === 0;

/** Arguments that Chromium needs to run as root and to send nothing over the network by itself. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  // Pages of tests are too short-lived for V8's optimizations to pay off.
  '--js-flags=--no-opt --no-maglev',
  // Without a process that waits for the next site: most contexts are closed before it is used.
  '--renderer-process-limit=1',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
