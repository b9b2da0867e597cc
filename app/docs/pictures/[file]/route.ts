import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { docsFolder } from '#lib/docs/documents.ts';

type PictureContext = { params: Promise<{ file: string }> };

/** A picture of the guides. */
export async function GET(_request: Request, { params }: PictureContext): Promise<Response> {
  const { file } = await params;
  const folder = join(docsFolder(), 'pictures');
  // Only a name that the folder contains, so that no path leads out of it.
  if (!(await readdir(folder)).includes(file)) return new Response('Not Found\n', { status: 404 });
  return new Response(await readFile(join(folder, file)), {
    headers: { 'Content-Type': 'image/png' },
  });
}
