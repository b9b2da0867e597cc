import { countOf } from './count.ts';

/** `742 bytes`, `1 byte`, `12.4 KiB`, `214.0 MiB`, `18.4 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 10_240) return countOf(bytes, 'byte');
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return bytes < 1024 ** 3
    ? `${(bytes / 1024 ** 2).toFixed(1)} MiB`
    : `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}
