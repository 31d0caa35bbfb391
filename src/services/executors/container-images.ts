/** Images of the engine: whether they are there, and how they are made. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import type { ContainerEngine } from './container-engine.ts';

/** ms: images are large, and some lines are slow. */
const longMs = 60 * 60_000;

export interface ImageFollower {
  readonly signal: AbortSignal;
  /** Called with pieces of the engine's output. */
  onOutput(text: string): void;
}

export async function hasImage(engine: ContainerEngine, image: string): Promise<boolean> {
  return (await engine.run(['image', 'inspect', '--format', '{{.Id}}', image])).ok;
}

const follow = (engine: ContainerEngine, args: readonly string[], { signal, onOutput }: ImageFollower) =>
  engine.run(args, { timeoutMs: longMs, signal, onOutput });

export const pullImage = (
  engine: ContainerEngine,
  image: string,
  follower: ImageFollower,
): Promise<Result<string>> => follow(engine, ['pull', image], follower);

/** An image as `docker save` writes it; with `image`, the files of its root folder. */
export const importImage = (
  engine: ContainerEngine,
  { file, image }: { readonly file: string; readonly image: string | null },
  follower: ImageFollower,
): Promise<Result<string>> =>
  follow(engine, image === null ? ['load', '--input', file] : ['import', file, image], follower);

/** `recipe` is the text of a Containerfile; it copies nothing of this computer. */
export async function buildImage(
  engine: ContainerEngine,
  { image, recipe, folder }: { readonly image: string; readonly recipe: string; readonly folder: string },
  follower: ImageFollower,
): Promise<Result<string>> {
  const context = join(folder, 'build');
  const file = join(context, 'Containerfile');
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, recipe);
  } catch (error) {
    return err(fail('io_error', 'container.recipeNotWritten', { why: errorText(error) }));
  }
  try {
    return await follow(engine, ['build', '--tag', image, '--file', file, context], follower);
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}
