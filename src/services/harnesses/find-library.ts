/** Finds an npm package that a person installed: beside the programs of npm, or in the home folder. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ main: z.string(), version: z.string() });

/** npm puts programs into `PREFIX/bin` and packages into `PREFIX/lib/node_modules`; on Windows both are in one folder. */
const packageFolders = (programFolder: string): readonly string[] => [
  join(dirname(programFolder), 'lib', 'node_modules'),
  join(programFolder, 'node_modules'),
  // `node_modules/.bin` of a project.
  dirname(programFolder),
];

export async function findLibrary(
  name: string,
  programFolders: readonly string[],
  userHome: string,
): Promise<{ readonly program: string; readonly version: string } | null> {
  const places = [...programFolders.flatMap(packageFolders), join(userHome, 'node_modules')];
  for (const place of new Set(places)) {
    const folder = join(place, name);
    try {
      const text = await readFile(join(folder, 'package.json'), 'utf8');
      const { main, version } = packageSchema.parse(JSON.parse(text));
      return { program: join(folder, main), version };
    } catch {
      // This folder has no such package, or a broken one.
    }
  }
  return null;
}
