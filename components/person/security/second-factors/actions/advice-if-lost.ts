/**
 * What to do if the response to adding a second factor was lost: the factor may have been added.
 */
export function adviceIfLost(factor: 'app' | 'passkey', isFirst: boolean): string {
  const look = `Close this dialog to see whether the ${factor} was added.`;
  return isFirst
    ? `${look} If so, press Create new codes: you have not seen your recovery codes.`
    : look;
}
