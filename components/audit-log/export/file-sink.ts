import type { ExportFormat } from '#lib/contract/audit-log/audit-log.ts';

/** The destination of an export's chunks. */
export type FileSink = {
  write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Completes the file. */
  close: () => Promise<void>;
  discard: () => Promise<void>;
};

type SaveFilePicker = (options: { suggestedName: string }) => Promise<ChosenFile>;

type ChosenFile = {
  createWritable: () => Promise<{
    write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>;
    close: () => Promise<void>;
    abort: () => Promise<void>;
  }>;
  getFile: () => Promise<{ size: number }>;
  /** Not every browser has it. */
  remove?: () => Promise<void>;
};

/** Whether the browser writes an export to the disk while it receives it. */
export function writesToDisk(): boolean {
  return 'showSaveFilePicker' in window;
}

/**
 * Lets the person choose where to save the file, if the browser can write to the disk chunk by
 * chunk. Otherwise the chunks are kept in memory and saved as a download once they are complete.
 * Must be called in the handler of a press.
 *
 * @returns null if the person chose no file
 */
export async function openFileSink(name: string, type: string): Promise<FileSink | null> {
  if (!writesToDisk()) return collectPieces(name, type);
  const picker = (window as unknown as { showSaveFilePicker: SaveFilePicker }).showSaveFilePicker;
  try {
    return writeToDisk(await picker({ suggestedName: name }));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Opens the file at the first chunk, so that a refused export does not overwrite a file. */
function writeToDisk(file: ChosenFile): FileSink {
  let opened: ReturnType<ChosenFile['createWritable']> | null = null;
  const open = () => (opened ??= file.createWritable());
  return {
    write: async (piece) => await (await open()).write(piece),
    close: async () => await (await open()).close(),
    async discard() {
      await (await opened)?.abort();
      // Choosing a new name has created an empty file.
      if ((await file.getFile()).size === 0) await file.remove?.();
    },
  };
}

function collectPieces(name: string, type: string): FileSink {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  return {
    write(piece) {
      pieces.push(piece);
      return Promise.resolve();
    },
    close() {
      const address = URL.createObjectURL(new Blob(pieces, { type }));
      pieces = [];
      const link = document.createElement('a');
      link.href = address;
      link.download = name;
      link.click();
      URL.revokeObjectURL(address);
      return Promise.resolve();
    },
    discard() {
      pieces = [];
      return Promise.resolve();
    },
  };
}

/** `audit-log-2026-11-20.csv` */
export function exportFileName(format: ExportFormat, now: Date): string {
  return `audit-log-${now.toISOString().slice(0, 10)}.${format}`;
}
