import type { Person } from 'conversation-service-playwright-kit';
import type { Tab } from '../tab.ts';

/** Signs in through the form, and waits for the list of keys. */
export async function signIn(
  tab: Tab,
  { owner, service }: { owner: Person; service: { origin: string } },
): Promise<void> {
  await tab.open(`${service.origin}/sign-in`);
  await tab.fill('Email', owner.email);
  await tab.fill('Password', owner.password);
  await tab.press('button', 'Sign in');
  await tab.isAt('/settings/api-keys');
  await tab.sees('heading', 'API keys');
}
