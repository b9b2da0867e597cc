/** Returns a salted scrypt hash in better-auth's format, computed outside the main thread. */
export async function hashPassword(password: string): Promise<string> {
  return await (await loadLibrary()).hashPassword(password);
}

/** Without a hash, such as for an unknown person, returns false after the same work. */
async function verifyPassword(input: { hash: string | null; password: string }): Promise<boolean> {
  const { verifyPassword: verify } = await loadLibrary();
  const isRight = await verify({ hash: input.hash ?? hashOfNothing, password: input.password });
  return input.hash !== null && isRight;
}

/** The functions that hash passwords and verify them. */
export type PasswordHashing = {
  hashPassword: typeof hashPassword;
  verifyPassword: typeof verifyPassword;
};

export const scryptHashing: PasswordHashing = { hashPassword, verifyPassword };

/** A salt and key in the format that `verify` reads, which match no password. */
const hashOfNothing = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

/** Loads the library with the first password. */
async function loadLibrary() {
  return await import('better-auth/crypto');
}
