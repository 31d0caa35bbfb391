import { join } from 'node:path';
import type { HostContext } from '../context.ts';

// Whatever is wrapped with the vault's key is lost with it, so before a vault goes everything wrapped is looked for:
// keys of stores (`*.db.key`), identities (`keys/`), API keys.

type Place = Pick<HostContext, 'disk' | 'layout'>;

/** A folder that cannot be read counts as one that holds something. */
function holdsWrapped({ disk }: Place, folder: string): boolean {
  const files = disk.files(folder);
  const identities = disk.files(join(folder, 'keys'));
  if (!files.ok || !identities.ok) return true;
  return files.value.some((name) => name.endsWith('.db.key')) || identities.value.length > 0;
}

function wrappedFolders(place: Place, below: string): readonly string[] {
  const folders = place.disk.folders(below);
  if (!folders.ok) return [below];
  return folders.value.filter((name) => holdsWrapped(place, join(below, name)));
}

/** No entries and no file are alike; a file that cannot be read may hold some. */
function holdsApiKeys({ disk, layout }: Place): boolean {
  const text = disk.readText(layout.apiKeys, 4 * 1024 * 1024);
  if (!text.ok) return true;
  if (text.value === null) return false;
  try {
    const { api_keys: keys } = JSON.parse(text.value) as { api_keys?: unknown };
    return typeof keys !== 'object' || keys === null || Object.keys(keys).length > 0;
  } catch {
    return true;
  }
}

/** What the vault is needed for, in words; empty when it may go. */
export function vaultUsers(place: Place): readonly string[] {
  const { layout } = place;
  const agents = wrappedFolders(place, layout.agents);
  const archived = wrappedFolders(place, layout.archived);
  return [
    ...(agents.length > 0 ? [`keys and messages of ${agents.join(', ')}`] : []),
    ...(archived.length > 0 ? [`archived agents (${archived.join(', ')})`] : []),
    ...(holdsWrapped(place, layout.operator) ? ['your own identity'] : []),
    ...(holdsWrapped(place, layout.registry) ? ['what is known about people at other servers'] : []),
    ...(holdsApiKeys(place) ? ['stored API keys'] : []),
  ];
}
