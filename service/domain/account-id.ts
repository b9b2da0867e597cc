declare const minted: unique symbol;

/**
 * The account a caller acts in. Every query of account data takes one, and only authentication
 * and account creation mint them, so a query without a tenant does not compile.
 */
export type AccountId = string & { readonly [minted]: true };

export function mintAccountId(id: string): AccountId {
  return id as AccountId;
}
