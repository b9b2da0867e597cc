import type { Context } from '../../context.ts';
import { deleteWorker } from './store.ts';

/** Removes a worker that has released all its leases. */
export async function removeWorker({ db }: Pick<Context, 'db'>, owner: string): Promise<void> {
  await deleteWorker(db, owner);
}
