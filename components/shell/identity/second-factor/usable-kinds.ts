import type { SecondFactorKind } from '#lib/contract/people/second-factors.ts';

type Offered = {
  kinds: readonly SecondFactorKind[];
  /** The host name under which passkeys work; null: none. */
  passkey_host: string | null;
};

/** How a second factor can be given on a page of this host: a passkey only where passkeys work. */
export function usableKinds(
  { kinds, passkey_host: passkeyHost }: Offered,
  hostname: string,
): readonly SecondFactorKind[] {
  return kinds.filter((kind) => kind !== 'passkey' || passkeyHost === hostname);
}
