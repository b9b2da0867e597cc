import { ApiError } from '#lib/api/api-error.ts';
import { respondWithError } from '#lib/api/serve-read.ts';
import { isSameOrigin } from '#lib/session/same-origin.ts';
import { signOut } from '#lib/session/sign-out.ts';

/** Ends the session. Not a server action: Next would render the page again, without a session. */
export async function DELETE(request: Request): Promise<Response> {
  if (!isSameOrigin(request.headers)) return new Response(null, { status: 403 });
  try {
    await signOut();
  } catch (error) {
    if (error instanceof ApiError) return respondWithError(error);
    throw error;
  }
  return new Response(null, { status: 204 });
}
