import type { Db } from '../db/open.ts';
import type { AuthLog } from './better-auth.ts';

export const sessionCookieName = 'session';

/** What the service uses of better-auth, once it is loaded. */
export type Library = Awaited<ReturnType<typeof load>>;

type LibraryOptions = { db: Db; publicUrl: URL; secret: string; log: AuthLog };

/** Loads better-auth at the first call, and returns the same library to every call. */
export function libraryLoader(options: LibraryOptions): () => Promise<Library> {
  let loading: Promise<Library> | null = null;
  return async () => await (loading ??= load(options));
}

async function load(options: LibraryOptions) {
  const { createBetterAuth, readSession } = await import('./better-auth.ts');
  const { context, ...functions } = createBetterAuth({
    ...options,
    cookieName: sessionCookieName,
  });
  const { internalAdapter, secret } = await context;
  return { ...functions, internalAdapter, secret, readSession };
}
