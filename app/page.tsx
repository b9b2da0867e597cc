import { redirectToAccount } from '#lib/session.ts';

export default async function HomePage() {
  return await redirectToAccount();
}
