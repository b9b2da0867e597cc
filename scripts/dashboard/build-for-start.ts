/**
 * Runs the build that a start needs. If it fails, tells the operator what to do, which the output of
 * the build does not say.
 *
 * @returns the exit status of the build, with which a failed start ends too
 */
export async function buildForStart(
  build: () => Promise<number>,
  tell: (text: string) => void,
): Promise<number> {
  const status = await build();
  if (status === 0) return 0;
  tell(
    '\nThe dashboard could not be built, so the service did not start. The lines above say why. If another process was building it in this folder, start again once that is done. To start several processes at the same time, run npm run build first.\n\n',
  );
  return status;
}
