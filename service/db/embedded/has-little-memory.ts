import { totalmem } from 'node:os';

/** With less, the system could kill the process while V8 optimizes the embedded database. */
const neededBytes = 1.5 * 1024 ** 3;

/**
 * Whether the machine, or the container in which this process runs, has less than 1.5 GiB of memory.
 *
 * @param limits in bytes; one that is unknown is 0, and one that does not exist is larger than all
 *   memory
 */
export function hasLittleMemory(
  limits: readonly number[] = [process.constrainedMemory(), totalmem()],
): boolean {
  return limits.some((bytes) => bytes > 0 && bytes < neededBytes);
}
