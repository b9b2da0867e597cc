const isRoot = process.getuid?.() === 0;

/** Arguments without which Chromium neither runs as root nor stays silent on the network. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
