import type { ExportFormat } from '#lib/contract/audit-log.ts';

/** Where the pieces of an export go. */
export type FileSink = {
  write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Makes the file whole. */
  close: () => Promise<void>;
  /** Leaves nothing behind. */
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

/** Whether the browser writes an export to the disk while it comes. */
export function writesToDisk(): boolean {
  return 'showSaveFilePicker' in window;
}

/**
 * Asks where to save, where the browser can write to the disk piece by piece; else the pieces are
 * kept in memory, and saved as a download once they are complete. It must be called on a press.
 *
 * @returns null if nothing was chosen
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

/** Opens the file for the first piece: an export that is refused leaves a file of this name as it is. */
function writeToDisk(file: ChosenFile): FileSink {
  let opened: ReturnType<ChosenFile['createWritable']> | null = null;
  const open = () => (opened ??= file.createWritable());
  return {
    write: async (piece) => await (await open()).write(piece),
    close: async () => await (await open()).close(),
    async discard() {
      await (await opened)?.abort();
      // Choosing a new name made an empty file of it.
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
