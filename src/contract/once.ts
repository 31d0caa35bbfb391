/** What `make` gives, made when it is first asked for and kept: making all schemas takes longer than most starts need any of. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
