import { hashPassword as hash, verifyPassword as verify } from 'better-auth/crypto';

/** Salted scrypt, as better-auth stores it; some 50 ms of work outside the main thread. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password);
}

export async function verifyPassword(input: { hash: string; password: string }): Promise<boolean> {
  return await verify(input);
}
