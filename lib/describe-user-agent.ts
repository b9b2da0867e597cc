/**
 * Describes the browser of a `User-Agent` header: "Chrome on macOS". This is a guess for display:
 * browsers name one another in the header, so the order of the tables matters.
 */
export function describeUserAgent(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'Unknown browser';
  const browser = find(browsers, userAgent) ?? programName(userAgent);
  const system = find(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

type Table = readonly (readonly [sign: RegExp, name: string])[];

const browsers: Table = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

const systems: Table = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

function find(table: Table, userAgent: string): string | undefined {
  return table.find(([sign]) => sign.test(userAgent))?.[1];
}

/** The name of a program that is no browser: "curl" of `curl/8.5.0`, "node" of `node`. */
function programName(userAgent: string): string {
  const name = /^[\w.-]+(?=\/|$)/.exec(userAgent)?.[0] ?? '';
  return name === '' || name === 'Mozilla' ? 'Unknown browser' : name.slice(0, 40);
}
