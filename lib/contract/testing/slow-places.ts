import { cpuMsOf } from './cpu-time.ts';
import type { InputPlace } from './input-places.ts';
import { worstTexts } from './worst-texts.ts';

/** From short to long, so that a slow place is found before it takes an hour. */
const lengths = [16_384, 1_048_576];
const texts = lengths.flatMap((length) => [...worstTexts(length)]);
const maxCpuMs = 20;

/** The texts of a megabyte that take 20 ms of CPU time or more to read at one of these places. */
export function findSlowPlaces(
  places: readonly InputPlace[],
  read: (input: unknown) => unknown,
): string[] {
  const slow = new Map<string, string>();
  for (const place of places) {
    for (const [name, text] of texts) {
      const found = `${name} at ${place.path || 'the top'}`;
      if (slow.has(found)) continue;
      const input = place.put(text);
      const ms = cpuMsOf(() => read(input), maxCpuMs);
      if (ms >= maxCpuMs) slow.set(found, `${found}: ${ms.toFixed(0)} ms for ${text.length} units`);
    }
  }
  return [...slow.values()];
}
