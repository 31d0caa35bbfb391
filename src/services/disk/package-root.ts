import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The root of Kennel's package, searched upwards from a file in src/ or, when built, in
 * dist/<bundle>/(chunks/).
 */
export function packageRoot(from: string): string {
  let folder = from;
  for (let up = 0; up < 5; up += 1) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    folder = join(folder, '..');
  }
  return from;
}

/** The folder of the workflows that ship with Kennel. */
export const shippedFolder = (from: string): string => join(packageRoot(from), 'resources', 'workflows');
