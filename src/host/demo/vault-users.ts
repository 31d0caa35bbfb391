import { join } from 'node:path';
import type { DiskPort } from '../../core/ports.ts';
import type { Layout } from '../layout.ts';

// Everything wrapped by the vault's key is lost with it. Before the vault is erased, this lists what is
// wrapped: store keys (`*.db.key`), identities (`keys/`) and API keys.

interface Place {
  readonly disk: DiskPort;
  readonly layout: Layout;
}

/** An unreadable folder counts as containing keys. */
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

/** A missing file counts as no entries; an unreadable file counts as having some. */
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

/** Sentences about what needs the vault; empty if it may be erased. */
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
