import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { FoundFile, ReadFile } from './workflow-files.ts';

// Workflows that Kennel ships. They may be inside the app's archive, which supports only plain reads.

export interface ShippedWorkflows {
  holds(path: string): boolean;
  list(): readonly FoundFile[];
  /** By name or absolute path. */
  read(file: string): Result<ReadFile>;
}

export function createShippedWorkflows(folder: string | null): ShippedWorkflows {
  const root = folder === null ? null : resolve(folder);
  const names = (): readonly string[] => {
    try {
      return root === null ? [] : readdirSync(root).filter((name) => name.endsWith('.puppy'));
    } catch {
      return [];
    }
  };
  const holds = (path: string): boolean => root !== null && path.startsWith(root + sep);
  return {
    holds,
    list: () => names().map((name) => ({ path: join(root ?? '', name), changedAt: 0, example: true })),
    read(file) {
      const path = resolve(root ?? '', file);
      const name = names().find((each) => join(root ?? '', each) === path);
      if (name === undefined)
        return err(appError('not_found', `There is no workflow ${file}.`, { where: file }));
      return ok({ path, text: readFileSync(path, 'utf8') });
    },
  };
}
