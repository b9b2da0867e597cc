import { redirectToAccount } from '#lib/session/session.ts';

/** Redirects the old URLs that name no account to the same page of the session's account. */
export default async function AddressWithoutAccount() {
  return await redirectToAccount();
}
