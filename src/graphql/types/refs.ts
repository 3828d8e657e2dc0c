/** The object types that others point at, by name and by the value behind them. Their fields stand in the files beside this one. */
import type { Attempt, Job, JobEvent } from "../../domain/job.ts";
import type { Operation, Provider } from "../../domain/operation.ts";
import type { Certification } from "../../store/store.ts";
import { builder } from "../builder.ts";

export const NodeRef = builder.interfaceRef<object>("Node");
export const JobRef = builder.objectRef<Job>("Job");
export const AttemptRef = builder.objectRef<Attempt>("Attempt");
export const JobEventRef = builder.objectRef<JobEvent>("JobEvent");
export const OperationRef = builder.objectRef<Operation>("Operation");
export const ProviderRef = builder.objectRef<Provider>("Provider");
export const CertificationRef = builder.objectRef<Certification>("Certification");
