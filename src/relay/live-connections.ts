/** The current connections; frames are sent to slugs or devices, on each of their connections. */

export interface SubscriberConnection {
  readonly slug: string;
  readonly deviceId: string;
  /** One JSON text; never throws. */
  send(frame: string): void;
  close(code: number, reason: string): void;
}

export class Hub {
  readonly #bySlug = new Map<string, Set<SubscriberConnection>>();
  readonly #byDevice = new Map<string, Set<SubscriberConnection>>();
  readonly #people = new Set<SubscriberConnection>();

  /** `person` is false for an agent. */
  add(connection: SubscriberConnection, person: boolean): void {
    if (person) this.#people.add(connection);
    put(this.#bySlug, connection.slug, connection);
    put(this.#byDevice, connection.deviceId, connection);
  }

  remove(connection: SubscriberConnection): void {
    this.#people.delete(connection);
    drop(this.#bySlug, connection.slug, connection);
    drop(this.#byDevice, connection.deviceId, connection);
  }

  isConnected(slug: string): boolean {
    return this.#bySlug.has(slug);
  }

  ofDevice(deviceId: string): readonly SubscriberConnection[] {
    return [...(this.#byDevice.get(deviceId) ?? [])];
  }

  /** The slugs of connected people. */
  people(): ReadonlySet<string> {
    return new Set([...this.#people].map(({ slug }) => slug));
  }

  all(): readonly SubscriberConnection[] {
    return [...this.#bySlug.values()].flatMap((connections) => [...connections]);
  }

  sendToDevice(deviceId: string, frame: string): void {
    for (const connection of this.#byDevice.get(deviceId) ?? []) connection.send(frame);
  }

  /** Serialises once, and only if a receiver is connected. */
  sendToSlugs(slugs: Iterable<string>, frame: unknown): void {
    let text: string | null = null;
    for (const slug of new Set(slugs)) {
      for (const connection of this.#bySlug.get(slug) ?? []) {
        text ??= JSON.stringify(frame);
        connection.send(text);
      }
    }
  }
}

function put(
  map: Map<string, Set<SubscriberConnection>>,
  key: string,
  connection: SubscriberConnection,
): void {
  const known = map.get(key);
  if (known) known.add(connection);
  else map.set(key, new Set([connection]));
}

function drop(
  map: Map<string, Set<SubscriberConnection>>,
  key: string,
  connection: SubscriberConnection,
): void {
  const known = map.get(key);
  known?.delete(connection);
  if (known?.size === 0) map.delete(key);
}
