/** Who may import whom, as errors: the layers of src, and how examples enter it. It says nothing about style. */

/** Packages that reach the database; whoever imports one writes SQL sooner or later. */
const databasePackages = "(^|/)node_modules/(postgres|drizzle-orm)/";

/** The compiled modules of src that only open a program: nothing imports them. */
const entryPoints = "^src/(index|cli/main)[.]ts$";

/**
 * A layer may import itself and what is listed; whatever else of src it reaches for is an error.
 * @param {string} name
 * @param {string[]} allowed
 */
function layer(name, ...allowed) {
  const folders = [name, ...allowed].join("|");
  return {
    name: `${name}-imports`,
    comment: `Of src, ${name} imports ${allowed.length === 0 ? "itself alone" : `itself, ${allowed.join(", ")}`}.`,
    severity: "error",
    from: { path: `^src/${name}/` },
    to: { path: "^src/", pathNot: `^src/(${folders})/` },
  };
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    layer("domain"),
    layer("store", "domain"),
    layer("providers", "domain"),
    layer("runtime", "domain", "store", "providers"),
    layer("graphql", "domain", "store", "runtime"),
    layer("server", "domain", "store", "providers", "runtime", "graphql"),
    layer("cli", "domain", "server"),
    layer("client"),
    layer("console", "client"),
    {
      name: "domain-is-pure",
      comment: "Beside itself domain imports a JSON canonicaliser and the hash function: no I/O, no other package.",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { pathNot: ["^src/", "(^|/)node_modules/canonicalize/", "^(node:)?crypto$"] },
    },
    {
      name: "graphql-takes-types-of-runtime",
      comment: "graphql is handed the running parts in its context; it never constructs or calls them by import.",
      severity: "error",
      from: { path: "^src/graphql/" },
      to: { path: "^src/runtime/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "console-by-the-front-door",
      comment: "The console uses what any application gets: the client's index.",
      severity: "error",
      from: { path: "^src/console/" },
      to: { path: "^src/client/", pathNot: "^src/client/index[.]ts$" },
    },
    {
      name: "examples-by-the-front-door",
      comment:
        "An example shows what a consumer may write, so it enters by the package's name: onejob or onejob/server.",
      severity: "error",
      from: { path: "^examples/" },
      to: { path: "^src/", pathNot: "^src/((client/)?index|server/compose)[.]ts$" },
    },
    {
      name: "sql-in-store",
      comment: "SQL stands only in store, and so do the packages that carry it.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/store/" },
      to: { path: databasePackages },
    },
    {
      name: "entry-points-are-not-imported",
      comment: "The package's index and the program's main open src from outside; within it they would close a circle.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: entryPoints },
    },
    {
      name: "src-stands-alone",
      comment: "What is published cannot import what is not.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|examples|scripts)/" },
    },
    {
      name: "simulation-model-stands-alone",
      comment:
        "The simulation's model shares no code with what it judges: of the simulation it takes the words and the settings.",
      severity: "error",
      from: { path: "^test/simulation/model/" },
      to: { pathNot: "^test/simulation/(model/|commands[.]ts$|settings[.]ts$)" },
    },
    {
      name: "no-undeclared-packages",
      comment: "src imports only packages that package.json lists as dependencies.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-cycles",
      comment: "A cycle of imports, of types alone too, is one module that pretends to be several.",
      severity: "error",
      from: { path: "^(src|test|examples|scripts)/" },
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A module of src that imports nothing and that nothing imports belongs to nothing.",
      severity: "error",
      from: { orphan: true, path: "^src/" },
      to: {},
    },
    {
      name: "everything-resolves",
      comment: "An import that cannot be resolved escapes every rule above.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["(^|/)node_modules/", "^dist/"] },
    // Imports of types count as well: a layer that knows another's types depends on it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["onejob-source", "import", "node", "default", "types"],
      mainFields: ["module", "main", "types", "typings"],
    },
  },
};
