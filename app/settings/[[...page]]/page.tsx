import { redirectToAccount } from '#lib/session.ts';

/** The addresses from before they named the account: each leads to the same page of the account of the session. */
export default async function AddressWithoutAccount() {
  return await redirectToAccount();
}
