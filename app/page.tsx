import { redirectToAccount } from '#lib/session/session.ts';

export default async function HomePage() {
  return await redirectToAccount();
}
