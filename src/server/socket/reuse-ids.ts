/**
 * Lets a client use an operation's id again as soon as it has completed it, as the protocol has it. The library forgets an id
 * when the operation has wound up behind that, and would take the new one for the old: both would be answered, or neither.
 * So the new one waits until the old one is over. It carries nothing out.
 */
import { CloseCode } from "graphql-ws";

type Handle = (message: unknown) => Promise<void>;

interface Waiting {
  start(): void;
  /** It was completed before it began, or its client has gone. */
  drop(): void;
}

/** An id that stands for an operation. */
interface Use {
  /** The client has completed it: only winding up is left. */
  isLeft: boolean;
  /** What the client has used the id for meanwhile. */
  waiting: Waiting | null;
}

export interface IdUses {
  readonly handle: Handle;
  /** The client has gone: nothing that waits begins any more. */
  close(): void;
}

function read(message: unknown): { readonly type?: unknown; readonly id?: unknown } {
  return typeof message === "object" && message !== null ? message : {};
}

export function reusingIds(handle: Handle, refuse: (code: number, reason: string) => void): IdUses {
  const uses = new Map<string, Use>();

  async function carry(id: string, message: unknown): Promise<void> {
    const use: Use = { isLeft: false, waiting: null };
    uses.set(id, use);
    try {
      await handle(message);
    } finally {
      uses.delete(id);
      use.waiting?.start();
    }
  }

  /** Resolves when what waited is over as well, or is dropped. */
  function wait(use: Use, id: string, message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      use.waiting = { start: () => void carry(id, message).then(resolve, reject), drop: resolve };
    });
  }

  function leave(use: Use): void {
    use.isLeft = true;
    use.waiting?.drop();
    use.waiting = null;
  }

  return {
    async handle(message) {
      const { type, id } = read(message);
      const use = typeof id === "string" ? uses.get(id) : undefined;
      if (typeof id === "string" && type === "subscribe") {
        if (use === undefined) return carry(id, message);
        if (use.waiting !== null) return refuse(CloseCode.SubscriberAlreadyExists, "Subscriber already exists");
        if (use.isLeft) return wait(use, id, message);
      }
      if (use !== undefined && type === "complete") leave(use);
      return handle(message);
    },
    close() {
      for (const use of uses.values()) leave(use);
    },
  };
}
