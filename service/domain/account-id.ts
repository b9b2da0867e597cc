declare const minted: unique symbol;

/**
 * The account in which a caller acts, or to which a row belongs. Every query of account data takes
 * an `AccountId`, so a query without an account does not compile.
 */
export type AccountId = string & { readonly [minted]: true };

/**
 * Makes an `AccountId` of the account of a row that the service has read, such as a membership, a
 * key or work that is due. A caller's own text becomes one only in `findPerson` and
 * `chooseAccount`, whose next statement checks that the person may open that account.
 */
export function mintAccountId(id: string): AccountId {
  return id as AccountId;
}
