/** What the emitted files use of the CTS's framework. */
type Run<F> = (t: F) => Promise<void> | void;

interface Builder<F> {
  desc(description: string): Builder<F>;
  fn(run: Run<F>): void;
}

class Group<F> {
  readonly names: string[] = [];
  private readonly make: new () => F;

  constructor(make: new () => F) {
    this.make = make;
  }

  test(name: string): Builder<F> {
    this.names.push(name);
    const builder = { desc: () => builder, fn: (run: Run<F>) => void run(new this.make()) };
    return builder;
  }
}

export function makeTestGroup<F>(fixture: new () => F): Group<F> {
  return new Group(fixture);
}
