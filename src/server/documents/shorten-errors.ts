/** Cuts the middle out of messages that quote what the caller sent: one name of a million letters stands in a hundred of them. */
import { GraphQLError } from "graphql";

const [headLength, tailLength] = [400, 400];

export function shortened(error: GraphQLError): GraphQLError {
  const { message, nodes = null, source, positions, path, originalError, extensions } = error;
  if (message.length <= headLength + tailLength) return error;
  const short = `${message.slice(0, headLength)} … ${message.slice(-tailLength)}`.toWellFormed();
  return new GraphQLError(short, { nodes, source, positions, path, originalError, extensions });
}
