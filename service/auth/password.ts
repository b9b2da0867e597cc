/** Salted scrypt, as better-auth stores it; some 50 ms of work outside the main thread. */
export async function hashPassword(password: string): Promise<string> {
  return await (await loadLibrary()).hashPassword(password);
}

/** Without a hash, as where there is no such person, false after the same work. */
export async function verifyPassword(input: {
  hash: string | null;
  password: string;
}): Promise<boolean> {
  const { verifyPassword: verify } = await loadLibrary();
  const isRight = await verify({ hash: input.hash ?? hashOfNothing, password: input.password });
  return input.hash !== null && isRight;
}

/** How passwords become what is stored of them. */
export type PasswordHashing = {
  hashPassword: typeof hashPassword;
  verifyPassword: typeof verifyPassword;
};

export const scryptHashing: PasswordHashing = { hashPassword, verifyPassword };

/** Salt and key in the shape that `verify` reads, of no password. */
const hashOfNothing = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

/** Loaded with the first password. */
async function loadLibrary() {
  return await import('better-auth/crypto');
}
