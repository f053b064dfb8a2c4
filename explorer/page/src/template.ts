// The templates of `synth emit`, rendered in the page.
//
// `synth_explorer/code.py` reads each template with Jinja's own parser, which also decides about white space, and packs
// the syntax tree: each node is a list of the name of its class and the values of its fields. This module evaluates such
// a tree. It knows the classes of nodes that the templates of `synth emit` have, and no others.

type Node = readonly [string, ...unknown[]];

/** The syntax trees of templates by their paths. A name without a folder is in the folder of the target. */
export type Templates = Readonly<Record<string, Node>>;

/** The filters, each a function of a value and the arguments. */
export type Filters = Readonly<Record<string, (...given: never[]) => unknown>>;

type Blocks = Record<string, { body: Node[]; scope: Scope }>;

/** Variables, and where to look for those that are not here. */
class Scope {
  readonly names = new Map<string, unknown>();
  constructor(readonly outer?: Scope) {}

  get(name: string): unknown {
    if (this.names.has(name)) return this.names.get(name);
    if (!this.outer) throw new Error(`the name ${name} of a template is undefined`);
    return this.outer.get(name);
  }
}

/** Return the text that a template makes of some values. */
export function rendered(templates: Templates, folder: string, path: string, given: Record<string, unknown>, filters: Filters): string {
  const renderer = new Renderer(templates, folder, filters, given);
  return renderer.template(path, new Scope(renderer.root), {});
}

class Renderer {
  readonly root = new Scope();
  constructor(
    readonly templates: Templates,
    readonly folder: string,
    readonly filters: Filters,
    given: Record<string, unknown>,
  ) {
    this.root.names.set("range", (end: number) => [...Array(end).keys()]);
    for (const [name, value] of Object.entries(given)) this.root.names.set(name, value);
  }

  /** Return the text of a template. `blocks` are those of the templates that extend it. */
  template(path: string, scope: Scope, blocks: Blocks): string {
    const [, body] = this.templates[path.includes("/") ? path : `${this.folder}/${path}`]! as [string, Node[]];
    const base = body.find(([kind]) => kind === "Extends");
    if (!base) return this.body(body, scope, blocks);
    const own = Object.fromEntries(
      body.filter(([kind]) => kind === "Block").map(([, name, inner]) => [name, { body: inner as Node[], scope }]),
    );
    this.body(body.filter(([kind]) => kind !== "Extends" && kind !== "Block"), scope, blocks);
    return this.template(constant(base[1]), new Scope(this.root), { ...own, ...blocks });
  }

  body(body: readonly Node[], scope: Scope, blocks: Blocks = {}): string {
    return body.map((node) => this.statement(node, scope, blocks)).join("");
  }

  statement(node: Node, scope: Scope, blocks: Blocks): string {
    const [kind, ...fields] = node;
    switch (kind) {
      case "Output":
        return (fields[0] as Node[]).map((part) => text(this.value(part, scope))).join("");
      case "If": {
        const [test, body, others, otherwise] = fields as [Node, Node[], Node[], Node[]];
        if (isTrue(this.value(test, scope))) return this.body(body, scope, blocks);
        const other = others.find((one) => isTrue(this.value(one[1] as Node, scope)));
        return this.body(other ? (other[2] as Node[]) : otherwise, scope, blocks);
      }
      case "For": {
        const [target, over, body] = fields as [Node, Node, Node[]];
        const items = this.value(over, scope) as unknown[];
        return items
          .map((item, at) => {
            const inner = new Scope(scope);
            inner.names.set("loop", { index0: at, index: at + 1, last: at === items.length - 1 });
            inner.names.set(target[1] as string, item);
            return this.body(body, inner, blocks);
          })
          .join("");
      }
      case "Assign":
        scope.names.set((fields[0] as Node)[1] as string, this.value(fields[1] as Node, scope));
        return "";
      case "AssignBlock":
        scope.names.set((fields[0] as Node)[1] as string, this.body(fields[2] as Node[], new Scope(scope)));
        return "";
      case "Macro":
        scope.names.set(fields[0] as string, this.macro(fields as [string, Node[], Node[], Node[]], scope));
        return "";
      case "FromImport": {
        const [path, names, withContext] = fields as [Node, (string | [string, string])[], boolean];
        const module = new Scope(withContext ? scope : this.root);
        this.template(constant(path), module, {});
        for (const name of names) scope.names.set(name as string, module.get(name as string));
        return "";
      }
      case "Include":
        return this.template(constant(fields[0]), new Scope(scope), {});
      case "Block": {
        const found = blocks[fields[0] as string];
        return this.body(found?.body ?? (fields[1] as Node[]), new Scope(found?.scope ?? scope), blocks);
      }
      case "FilterBlock": {
        const [body, filter] = fields as [Node[], Node];
        return text(this.filtered(filter, this.body(body, new Scope(scope), blocks), scope));
      }
      default:
        throw new Error(`a template has the statement ${kind}, which the page does not know`);
    }
  }

  macro([, parameters, defaults, body]: [string, Node[], Node[], Node[]], scope: Scope): (...given: unknown[]) => string {
    return (...given) => {
      const inner = new Scope(scope);
      parameters.forEach(([, name], at) => {
        const fallback = defaults[at - parameters.length + defaults.length];
        inner.names.set(name as string, at < given.length ? given[at] : this.value(fallback!, scope));
      });
      return this.body(body, inner);
    };
  }

  value(node: Node, scope: Scope): unknown {
    const [kind, ...fields] = node;
    const of = (field: unknown) => this.value(field as Node, scope);
    switch (kind) {
      case "TemplateData":
      case "Const":
        return fields[0];
      case "Name":
        return scope.get(fields[0] as string);
      case "Getattr":
        return attribute(of(fields[0]), fields[1] as string);
      case "Getitem":
        return (of(fields[0]) as Record<string, unknown>)[of(fields[1]) as string];
      case "Call":
        return (of(fields[0]) as (...given: unknown[]) => unknown)(...(fields[1] as Node[]).map(of));
      case "Filter":
        return this.filtered(node, of(fields[0]), scope);
      case "Test": // `none` is the only one
        return of(fields[0]) === null;
      case "CondExpr":
        return isTrue(of(fields[0])) ? of(fields[1]) : fields[2] === null ? "" : of(fields[2]);
      case "Compare": {
        const [operation, other] = (fields[1] as [Node])[0].slice(1) as [string, Node];
        return compared(operation, of(fields[0]), of(other));
      }
      case "Not":
        return !isTrue(of(fields[0]));
      case "And": {
        const left = of(fields[0]);
        return isTrue(left) ? of(fields[1]) : left;
      }
      case "Or": {
        const left = of(fields[0]);
        return isTrue(left) ? left : of(fields[1]);
      }
      case "Add":
        return (of(fields[0]) as number) + (of(fields[1]) as number);
      case "Sub":
        return (of(fields[0]) as number) - (of(fields[1]) as number);
      case "Mul":
        return (of(fields[0]) as number) * (of(fields[1]) as number);
      case "Concat":
        return (fields[0] as Node[]).map((part) => text(of(part))).join("");
      case "List":
        return (fields[0] as Node[]).map(of);
      case "Dict":
        return Object.fromEntries((fields[0] as Node[]).map(([, key, value]) => [of(key), of(value)]));
      default:
        throw new Error(`a template has the expression ${kind}, which the page does not know`);
    }
  }

  filtered([, , name, given]: Node, value: unknown, scope: Scope): unknown {
    const filter = this.filters[name as string] as ((...given: unknown[]) => unknown) | undefined;
    if (!filter) throw new Error(`a template has the filter ${name}, which the page does not know`);
    return filter(value, ...(given as Node[]).map((argument) => this.value(argument, scope)));
  }
}

/** Return the value of a node that must be a constant, such as the path of a template. */
function constant(node: unknown): string {
  return (node as Node)[1] as string;
}

function attribute(value: unknown, name: string): unknown {
  if (Array.isArray(value) && name === "append") return (item: unknown) => void value.push(item);
  const found = (value as Record<string, unknown>)[name];
  if (found === undefined) throw new Error(`a template asks for ${name}, which is undefined`);
  return found;
}

function compared(operation: string, left: unknown, right: unknown): boolean {
  switch (operation) {
    case "eq":
      return left === right;
    case "ne":
      return left !== right;
    case "gt":
      return (left as number) > (right as number);
    default:
      throw new Error(`a template has the comparison ${operation}, which the page does not know`);
  }
}

/** Return whether Python would take a value as true. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function text(value: unknown): string {
  return String(value);
}
