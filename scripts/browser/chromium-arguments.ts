const isRoot = process.getuid?.() === 0;

/** Arguments without which Chromium neither runs as root nor stays silent on the network. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  // Pages of tests live too short for what V8 optimizes to pay.
  '--js-flags=--no-opt --no-maglev',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
