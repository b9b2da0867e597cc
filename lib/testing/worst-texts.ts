/**
 * Texts that take longer to process than their length suggests: to normalize (marks are sorted in
 * quadratic time), to expand, to trim, to match or to encode.
 * @param units how many UTF-16 code units each of them has
 */
export function worstTexts(units: number): ReadonlyMap<string, string> {
  return new Map([
    ['alternating marks', fill('\u0315\u0300', units)],
    ['one mark repeated', fill('\u0300', units)],
    ['a ligature of 18 letters', fill('\ufdfa', units)],
    ['spaces before a letter', `${fill(' ', units - 1)}x`],
    ['spaces between letters', `x${fill(' ', units - 2)}x`],
    ['lone surrogates', fill('\udc00', units)],
    ['paired surrogates', fill('\u{1f600}', units)],
    ['names of hosts', `${fill('a.', units - 2)}@a`],
    ['digits', fill('1', units)],
  ]);
}

function fill(unit: string, units: number): string {
  return unit.repeat(Math.ceil(units / unit.length)).slice(0, units);
}
