interface NamedChannel {
  readonly id: string;
  readonly name: string;
  readonly spaceName: string | undefined;
}

/** Names that tell channels of one name apart: `"Garden/#general"`, or the id if spaces share a name. */
export function channelChoices(channels: readonly NamedChannel[]): string {
  const spaces = channels.map(({ spaceName }) => spaceName?.toLowerCase());
  const choices = channels.map(({ id, name, spaceName }) => {
    const isOnly = spaces.filter((each) => each === spaceName?.toLowerCase()).length === 1;
    return spaceName !== undefined && isOnly ? `"${spaceName}/#${name}"` : id;
  });
  return choices.join(', ');
}
