import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { errorCode } from '../error-code.ts';

/** Operating systems limit the path of a socket: to 108 bytes on Linux, 104 on macOS. */
const maxPathBytes = 100;

type Place = { path: string; folder: string; isShared: boolean };

/** @throws if the folder of the socket cannot be created, or if another user could enter it */
export async function prepareAdminSocket(dataDir: string): Promise<string> {
  const { path, folder, isShared } = placeOf(dataDir);
  if (!isShared) return path;
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  if (!(await isPrivate(folder))) throw new Error(`Another user could enter ${folder}.`);
  return path;
}

/** The path of the socket; null if there is none that only this user, or root, could create. */
export async function findAdminSocket(dataDir: string): Promise<string | null> {
  const { path, folder, isShared } = placeOf(dataDir);
  const found = await lstat(path).catch(() => null);
  if (!found?.isSocket()) return null;
  return isShared && !(await isPrivate(folder)) ? null : path;
}

/**
 * The socket is in the data folder. If that path is too long for a socket, it is in a folder of
 * this user in the system's folder for temporary files.
 */
function placeOf(dataDir: string): Place {
  const absolute = resolve(dataDir);
  const path = join(absolute, 'admin.sock');
  if (Buffer.byteLength(path) <= maxPathBytes) {
    return { path, folder: absolute, isShared: false };
  }
  const name = createHash('sha256').update(absolute).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `conversation-service-${name}`);
  return { path: join(folder, 'admin.sock'), folder, isShared: true };
}

async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder);
  return found.isDirectory() && (found.mode & 0o077) === 0 && found.uid === userInfo().uid;
}
