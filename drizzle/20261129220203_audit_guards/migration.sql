-- What an operator did stays on record as it was written: nobody who types into psql may touch it up.
CREATE TRIGGER audit_log_fixed BEFORE UPDATE ON audit_log FOR EACH ROW
EXECUTE FUNCTION onejob_refuse('OJ008', 'I8: an entry of the audit log never changes');
--> statement-breakpoint
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log FOR EACH ROW
EXECUTE FUNCTION onejob_refuse('OJ008', 'I8: an entry of the audit log is never deleted');
--> statement-breakpoint
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
EXECUTE FUNCTION onejob_refuse('OJ008', 'I8: the audit log is never truncated');
