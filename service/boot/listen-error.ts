import { StartError } from '../start-error.ts';

/**
 * Explains to the operator why the service cannot listen on the address. Returns the error itself
 * if its cause is unknown.
 */
export function listenError(
  error: unknown,
  { port, host }: { port: number; host: string },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to another port.`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      `This user may not listen on port ${port}. Set PORT to 1024 or higher, or give the process the right to use lower ports.`,
    );
  }
  if (typeof code === 'string' && noSuchAddress.has(code)) {
    return new StartError(
      `Cannot listen on ${host} (${code}). Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`,
    );
  }
  return error;
}

const noSuchAddress = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT']);
