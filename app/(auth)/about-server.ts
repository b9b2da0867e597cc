import 'server-only';

import { publicUrl } from '#lib/public-url.ts';
import packageFile from '#package.json' with { type: 'json' };

/** What stands at the foot of the door: which service this is, and its version. */
export function aboutServer(): { host: string; version: string } {
  return { host: new URL(publicUrl()).host, version: packageFile.version };
}
