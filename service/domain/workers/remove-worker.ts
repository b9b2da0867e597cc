import type { Context } from '../../context.ts';
import { deleteWorker } from './store.ts';

/** Forgets a worker that has given back all it held. */
export async function removeWorker({ db }: Pick<Context, 'db'>, owner: string): Promise<void> {
  await deleteWorker(db, owner);
}
