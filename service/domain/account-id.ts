declare const minted: unique symbol;

/**
 * The account in which a caller acts. Every query of account data takes an `AccountId`, and only
 * authentication and account creation mint one, so a query without an account does not compile.
 */
export type AccountId = string & { readonly [minted]: true };

export function mintAccountId(id: string): AccountId {
  return id as AccountId;
}
